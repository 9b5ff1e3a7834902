// Light if it is dark now, dark if it is light.
function theme() {
  const root = document.documentElement;
  const dark = (root.style.colorScheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.style.colorScheme = dark ? "light" : "dark";
}
