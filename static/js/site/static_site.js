// Only in the pages of a static site, which has no server: its requests fail at once, as without a connection.
"use strict";
const { fetch: fetchFile } = window;
window.fetch = (url, request = {}) => {
  const isFile = (request.method ?? "GET") === "GET" && !request.headers?.["HX-Request"];
  return isFile ? fetchFile(url, request) : Promise.reject(new TypeError("no server"));
};
