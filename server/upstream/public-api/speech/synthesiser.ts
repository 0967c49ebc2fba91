/**
 * A formant synthesiser: pulses of vocal cords and noise go through resonators that stand for the mouth. It sounds
 * like a machine of the eighties, needs no model and no network, and the same text always gives the same bytes.
 */
import { type Gesture, gesturesOf, isPause } from './phonemes.ts';
import { type Spoken } from './utterance.ts';

export type Voice = {
  /** Hertz of the vocal cords. */
  readonly pitchHz: number;
  /** How small the mouth is: all resonances are multiplied by this. */
  readonly size: number;
  /** How fast it speaks; 1 is usual. */
  readonly pace: number;
  /** Breath in the voice, from 0 to 1. */
  readonly breath: number;
};

/** Samples per second. */
export const sampleRate = 22_050;

const frameSize = 55;
/** How quickly the mouth moves and the loudness changes: the part of the way that is gone in each frame. */
const mouthSpeed = 0.16;
const loudnessSpeed = 0.42;
const loudest = 0.82;
/** Of a hiss beside the voice. */
const hissLoudness = 0.4;
const [fourthHz, fifthHz] = [3500, 4600] as const;
const widths = [70, 95, 130, 220, 280] as const;

/** Lets the last sound fade. */
const closing: Spoken = { sound: 'comma' };

type Step = Gesture & { readonly frames: number; readonly pitch: readonly [number, number] };

/** Samples from -1 to 1. */
export function synthesise(utterance: readonly Spoken[], voice: Voice): Float32Array {
  const steps = stepsOf(utterance, voice);
  const count = framesOf(steps);
  const samples = new Float32Array(count * frameSize);
  const throat = createThroat(voice);
  let at = 0;
  for (const [index, step] of steps.entries()) {
    const formants = formantsAt(steps, index);
    for (let frame = 0; frame < step.frames; frame += 1) {
      const [start, end] = step.pitch;
      // The voice sinks towards the end, as everybody's does.
      const pitch = (start + ((end - start) * frame) / step.frames) * (1.06 - (0.18 * at) / count);
      throat.move(step, formants, pitch);
      for (let sample = 0; sample < frameSize; sample += 1) {
        samples[at * frameSize + sample] = throat.next();
      }
      at += 1;
    }
  }
  return levelled(samples);
}

/** How long it takes to say that. */
export function secondsOf(utterance: readonly Spoken[], voice: Voice): number {
  return (framesOf(stepsOf(utterance, voice)) * frameSize) / sampleRate;
}

function framesOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { frames }) => sum + frames, 0);
}

function stepsOf(utterance: readonly Spoken[], { pace }: Voice): readonly Step[] {
  return [...utterance, closing].flatMap(({ sound, length = 1, pitch = [1, 1] }) => {
    const stretch = (isPause(sound) ? 1 : length) / pace;
    return gesturesOf(sound).map((gesture) =>
      Object.assign({ pitch, frames: framesIn(gesture.ms * stretch) }, gesture),
    );
  });
}

function framesIn(ms: number): number {
  return Math.max(2, Math.round((ms * sampleRate) / 1000 / frameSize));
}

/** Consonants without a place of their own prepare the mouth for what comes next. */
function formantsAt(steps: readonly Step[], index: number): readonly [number, number, number] {
  const next = steps.slice(index, index + 4).find(({ formants }) => formants)?.formants;
  const before = steps.slice(Math.max(0, index - 4), index).findLast(({ formants }) => formants);
  return next ?? before?.formants ?? [500, 1500, 2500];
}

/** One resonance of the mouth. */
function createResonator() {
  let [a, b, c, y1, y2] = [1, 0, 0, 0, 0];
  return {
    tune(hz: number, width: number): void {
      const radius = Math.exp((-Math.PI * width) / sampleRate);
      c = -radius * radius;
      b = 2 * radius * Math.cos((2 * Math.PI * Math.min(hz, sampleRate * 0.45)) / sampleRate);
      a = 1 - b - c;
    },
    /** How much louder it makes its own frequency than it is; at high ones that is a lot. */
    gain(): number {
      const radius = Math.sqrt(-c);
      const cosine = b / (2 * radius);
      const double = 2 * cosine * cosine - 1;
      return a / ((1 - radius) * Math.sqrt(1 - 2 * radius * double + radius * radius));
    },
    pass(input: number): number {
      const output = a * input + b * y1 + c * y2;
      y2 = y1;
      y1 = output;
      return output;
    },
  };
}

/** Noise that is the same every time. */
function createNoise() {
  let state = 0x2f_6e_2b_1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x80_00_00_00 - 1;
  };
}

function createThroat({ pitchHz, size, breath: ownBreath }: Voice) {
  const mouth = widths.map(() => createResonator());
  const narrow = createResonator();
  const noise = createNoise();
  const now = { f: [500, 1500, 2500], voice: 0, breath: 0, hiss: 0, hissHz: 4000, hz: pitchHz };
  let [phase, lastPulse, hissGain] = [0, 0, 0];

  return {
    move(target: Gesture, formants: readonly [number, number, number], pitch: number): void {
      now.f = now.f.map((hz, index) => hz + ((formants[index] ?? hz) - hz) * mouthSpeed);
      now.voice += (target.voice - now.voice) * loudnessSpeed;
      now.breath += (target.breath + target.voice * ownBreath * 0.2 - now.breath) * loudnessSpeed;
      now.hiss += (target.hiss - now.hiss) * loudnessSpeed;
      now.hissHz = target.hiss > 0 ? target.hissHz : now.hissHz;
      now.hz += (pitchHz * pitch - now.hz) * 0.3;
      for (const [index, hz] of [...now.f, fourthHz, fifthHz].entries()) {
        mouth[index]?.tune(hz * size, widths[index] ?? 200);
      }
      narrow.tune(now.hissHz, now.hissHz * 0.28);
      hissGain = (now.hiss * hissLoudness) / narrow.gain();
    },

    next(): number {
      phase = (phase + now.hz / sampleRate) % 1;
      const pulse = opening(phase);
      const random = noise();
      const source = (pulse - lastPulse) * 6 * now.voice + random * 0.22 * now.breath;
      lastPulse = pulse;
      const sung = mouth.reduce((signal, resonator) => resonator.pass(signal), source);
      return sung + narrow.pass(random) * hissGain;
    },
  };
}

/** How far the vocal cords are open in a period: they open slowly, shut fast, and rest. */
function opening(phase: number): number {
  if (phase < 0.4) {
    const part = phase / 0.4;
    return part * part * (3 - 2 * part);
  }
  return phase < 0.58 ? 1 - ((phase - 0.4) / 0.18) ** 2 : 0;
}

/** As loud as can be without being cut. */
function levelled(samples: Float32Array): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return peak === 0 ? samples : samples.map((sample) => (sample / peak) * loudest);
}
