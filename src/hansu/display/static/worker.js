// The page without its server: what was loaded last is shown, and says that the server is missing.
const KEPT = "hansu";
const SHELL = /^\/(?!api\/|ws\/)|^\/api\/(offer|boards\/)/; // no games: they are on the server

addEventListener("fetch", (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !SHELL.test(pathname)) return;
  event.respondWith(freshOrKept(request));
});

async function freshOrKept(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
}
