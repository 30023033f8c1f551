// The race: the address bar shows the link to the running race.
export function start() {
  const links = document.getElementById("race-links");
  const show = () => {
    const link = document.getElementById("race-link");
    if (link && link.href !== location.href) history.replaceState(history.state, "", link.href);
  };
  if (document.querySelector("#race[hx-trigger]")) show(); // it starts by itself
  document.getElementById("race")?.addEventListener("submit", () => {
    const card = document.querySelector(".race-card");
    if (card.getBoundingClientRect().top > 0.7 * innerHeight) card.scrollIntoView();
  });
  new MutationObserver(show).observe(links, { childList: true, subtree: true, attributes: true });
}
