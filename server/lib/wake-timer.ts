/** Wakes work at the time at which it is due. */
import { outsideRequests } from './request-context.ts';

/** How soon what another process has saved is found at the latest. */
const maxSleepMs = 30_000;
/** Keeps the work from running without a break when something goes wrong. */
const minSleepMs = 250;

/** Runs `run` when something is due; it resolves to when the next thing is, in epoch milliseconds. */
export function createWakeTimer(clock: () => number, run: () => Promise<number | undefined>) {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  let isStarted = false;

  function wakeBy(time: number): void {
    const latest = Math.min(time, clock() + maxSleepMs);
    if (!isStarted || latest >= wakesAt) {
      return;
    }
    wakesAt = latest;
    clearTimeout(timer);
    timer = setTimeout(() => void outsideRequests(wake), Math.max(latest - clock(), minSleepMs));
    timer.unref();
  }

  async function wake(): Promise<void> {
    wakesAt = Infinity;
    wakeBy((await run()) ?? Infinity);
  }

  return {
    wakeBy,
    start: () => {
      isStarted = true;
      wakeBy(clock());
    },
    stop: () => {
      isStarted = false;
      wakesAt = Infinity;
      clearTimeout(timer);
    },
  };
}
