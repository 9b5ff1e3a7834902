// Before anything is painted: the theme and language that were chosen last time.
(() => {
  const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const theme = kept("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  document.documentElement.lang =
    kept("language") || (navigator.language.startsWith("ko") ? "ko" : "en");
})();
