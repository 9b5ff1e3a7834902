// @ts-check
// Before anything is painted: the looks that were chosen last time.
(() => {
  try {
    for (const name of ["theme", "board", "pieces"]) {
      const chosen = localStorage.getItem(name);
      if (chosen) document.documentElement.dataset[name] = chosen;
    }
  } catch { /* nothing is kept here */ }
})();
