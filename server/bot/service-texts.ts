/**
 * What the bot answers to commands that ask other servers, and to those about IDs. Lines that begin with what is typed
 * keep it as it is in every language.
 */

export const serviceAnswers = {
  download: {
    /** `networks` are names with commas between. */
    usage: (networks: string) =>
      `/download and a link, or as a reply to a message with one. I know these: ${networks}.`,
    foreign: (networks: string) => `I know links to these only: ${networks}.`,
    /** They are too large, or their server keeps them. Links follow, one a line. */
    onlyLinks: 'Telegram cannot get these files. You can open them here:',
    more: (count: number) =>
      `${count} more ${count === 1 ? 'file is' : 'files are'} on the page itself.`,
  },
  tts: {
    usage: '/tts Hello\nOr reply to a message with /tts. /voices lists the voices.',
    unplayable: 'This voice makes files that Telegram does not play as a voice message.',
    /** By their categories. */
    voices: (list: string) => `Write the name of a voice before the text:\n\n${list}`,
    noVoices: 'There is only one voice.',
  },
  translate: {
    /** `/tr de`: what is translated follows it. */
    usage: '/tr de Hello\nOr reply to a message with /tr de.',
    /** Below a translation, by names of languages. */
    fromTo: (from: string, to: string, service: string) => `${from} → ${to} · ${service}`,
    to: (to: string, service: string) => `→ ${to} · ${service}`,
    same: (language: string) => `This text is in ${language} already.`,
    unsupported: (service: string, language: string) =>
      `${service} does not translate into ${language}.`,
    tooManyBytes: (service: string, max: number) =>
      `${service} takes at most ${max} bytes: so many Latin letters, and fewer of other scripts.`,
  },
  wiki: {
    usage: '/wiki Kyoto',
    ambiguous: (title: string) => `${title} may be one of several pages:`,
    /** `license` is the name of the licence of the texts. */
    source: (license: string) => `From Wikipedia, ${license}`,
    read: 'Read on Wikipedia',
  },
  define: {
    usage: '/define otter',
    source: (license: string) => `From Wiktionary, ${license}`,
    read: 'Read on Wiktionary',
  },
  weather: {
    usage: '/weather Kyoto',
    now: (sky: string, degrees: number, feelsLike: number, wind: number) =>
      `Now: ${sky}, ${degrees} °C, feels like ${feelsLike} °C, wind ${wind} km/h`,
    day: (day: string, sky: string, min: number, max: number) =>
      `${day}: ${sky}, ${min} to ${max} °C`,
    source: (license: string) => `Weather data by Open-Meteo.com, ${license}`,
    skies: {
      clear: 'clear sky',
      partly: 'partly cloudy',
      overcast: 'overcast',
      fog: 'fog',
      drizzle: 'drizzle',
      rain: 'rain',
      snow: 'snow',
      showers: 'showers',
      thunder: 'thunderstorm',
      unknown: 'no sky reported',
    },
  },
  id: {
    chat: (id: string) => `This chat: ${id}`,
    topic: (id: string) => `This topic: ${id}`,
    you: (id: string) => `You: ${id}`,
    person: (name: string, id: string) => `${name}: ${id}`,
    message: (id: string) => `The message: ${id}`,
  },
  info: {
    /** `name` is a link to the person. */
    lines: (name: string, id: string) => `${name}\nID: ${id}`,
    username: (username: string) => `Username: @${username}`,
    bot: 'This is a bot.',
    channel: 'This is a channel or a group.',
    /** What a person is in the group. */
    roles: {
      creator: 'Owner of this group',
      administrator: 'Administrator of this group',
      member: 'Member of this group',
      restricted: 'Restricted member of this group',
      left: 'Not in this group',
      kicked: 'Banned from this group',
    },
    titled: (role: string, title: string) => `${role}, with the title “${title}”`,
  },
} as const;
