/** The voices of the speech endpoints while no other server has some: all of them are one synthesiser, tuned. */
import { type Voice } from '#server/upstream/public-api/speech/synthesiser';

type Voices = Readonly<Record<string, Readonly<Record<string, Voice>>>>;

/** Collection → category → character. Names are our own. */
export const voiceCollections: Readonly<Record<'tts' | 'anime-tts' | 'others-tts', Voices>> = {
  tts: {
    Low: {
      Bram: { pitchHz: 98, size: 0.96, pace: 0.95, breath: 0.1 },
      Otto: { pitchHz: 116, size: 1, pace: 1.05, breath: 0.2 },
    },
    High: {
      Alva: { pitchHz: 196, size: 1.14, pace: 1, breath: 0.25 },
      Mira: { pitchHz: 214, size: 1.17, pace: 1.08, breath: 0.15 },
    },
  },
  'anime-tts': {
    Heroes: {
      Akari: { pitchHz: 248, size: 1.2, pace: 1.1, breath: 0.2 },
      Ren: { pitchHz: 138, size: 1.04, pace: 1.1, breath: 0.1 },
    },
    Mascots: {
      Mochi: { pitchHz: 310, size: 1.32, pace: 1.15, breath: 0.1 },
      Pon: { pitchHz: 272, size: 1.4, pace: 0.95, breath: 0.3 },
    },
  },
  'others-tts': {
    Others: {
      Robot: { pitchHz: 110, size: 1, pace: 0.9, breath: 0 },
      Whisper: { pitchHz: 120, size: 1.05, pace: 0.9, breath: 1 },
    },
  },
};
