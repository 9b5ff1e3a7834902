// @ts-check
// Before anything is painted: the theme that was chosen last time.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* nothing is kept here */ }
})();
