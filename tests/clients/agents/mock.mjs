// What the mocks of model APIs share: a local HTTP server that answers as a model which calls the
// tool once for each path, and then ends.

import { createServer } from "node:http";

/**
 * Starts a server. `api.answer(body, url, path)` returns the events of a call of the tool with `path`,
 * of the end of the conversation if `path` is undefined, or an object that is the whole answer.
 * `api.results(body)` returns the results of calls in a request, in a form that all APIs share.
 */
export async function start(api, paths) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const body = text.startsWith("{") ? JSON.parse(text) : {};
    const isModel = request.method === "POST" && api.isTurn(body, request.url);
    if (process.env.MOCK_TRACE) console.error(request.method, request.url, text.length, isModel);
    if (isModel) requests.push(body);
    const done = isModel ? api.results(body).length : paths.length;
    const answer = api.answer(body, request.url, isModel ? paths[done] : undefined, done);
    if (Array.isArray(answer)) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of answer) {
        const name = event.type ? `event: ${event.type}\n` : "";
        response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, requests, end };
}

/** A part of a result: its type, and its text or the size of its data in base64. */
export const text = (value) => ({ type: "text", text: value });
export const media = (mime, data) => ({ type: "media", mime, size: data.length });
