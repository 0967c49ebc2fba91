/** Of what the device has shown instead of the server's answer. */
export const offlineTexts = {
  at: (time: string) => `No connection: this is how it was at ${time}.`,
  on: (day: string, time: string) => `No connection: this is how it was on ${day}, ${time}.`,
} as const;
