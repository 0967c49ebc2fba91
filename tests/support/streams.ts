/** Bodies that come over time, as a browser gives them to a page. */

/** The body, which breaks off when the call is aborted; whoever sends it is told. */
export function abortable(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const breakOff = () => {
        controller.error(new DOMException('The call was aborted', 'AbortError'));
        reader.cancel().catch(() => undefined);
      };
      if (signal?.aborted) {
        breakOff();
      }
      signal?.addEventListener('abort', breakOff);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
