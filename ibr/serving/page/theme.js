// Runs before the page is painted, so that it never flashes in the other colours.
try {
  const chosen = localStorage.getItem("ibr-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // a browser that keeps nothing shows what the system prefers
}
