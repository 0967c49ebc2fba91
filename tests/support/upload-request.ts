/** The part of `XMLHttpRequest` that sends a form, on the `fetch` of a test: happy-dom's own would leave the process. */

type Send = (input: string, init: RequestInit) => Promise<Response>;

/** The class for a page whose calls go to `send`. */
export function createUploadRequest(send: Send) {
  return class UploadRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    readonly #stop = new AbortController();
    readonly #headers = new Headers();
    #method = 'GET';
    #url = '';

    open(method: string, url: string): void {
      [this.#method, this.#url] = [method, url];
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value);
    }

    abort(): void {
      this.#stop.abort();
      this.dispatchEvent(new Event('abort'));
    }

    send(body: FormData): void {
      void this.#run(body);
    }

    async #run(body: FormData): Promise<void> {
      const { signal } = this.#stop;
      const progress = (loaded: number) =>
        this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 4 }));
      progress(1);
      try {
        const url = new URL(this.#url, window.location.href).href;
        const response = await send(url, {
          method: this.#method,
          headers: this.#headers,
          body,
          signal,
        });
        progress(4);
        this.responseText = await response.text();
        this.status = response.status;
        this.dispatchEvent(new Event('load'));
      } catch {
        if (!signal.aborted) {
          this.dispatchEvent(new Event('error'));
        }
      }
    }
  };
}
