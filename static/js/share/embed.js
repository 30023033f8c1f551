// Sends the height of an embed to the page around it, which may set the height of the frame.
new ResizeObserver(() => {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  parent.postMessage({ type: "slidewise:height", height }, "*"); // a number is no secret
}).observe(document.body);
