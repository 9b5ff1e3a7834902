// @ts-check
import js from "@eslint/js";
import globals from "globals";

export default [
  {ignores: [".venv*/", "dist/", "site/"]},
  js.configs.recommended,
  {
    files: ["src/hansu/display/static/js/**/*.js"],
    languageOptions: {globals: globals.browser},
  },
  {
    files: ["src/hansu/display/static/worker.js"],
    languageOptions: {globals: globals.serviceworker},
  },
  {
    files: ["tests/js/**/*.js"],
    languageOptions: {globals: globals.node},
  },
  {
    rules: {
      "eqeqeq": "error",
      "max-len": ["error", {code: 110}],
      "max-lines": ["error", 400],
      "no-var": "error",
      "no-implied-eval": "error",
      "no-eval": "error",
      "prefer-const": "error",
      "semi": "error",
      "quotes": ["error", "double", {avoidEscape: true}],
    },
  },
];
