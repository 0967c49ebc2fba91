/** What users read when they have done something too often. `wait` is a duration in words. */

export const durationTexts = {
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutes: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  hours: (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`,
  days: (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`,
};

export const limitTexts = {
  requests: (wait: string) => `Too many requests. Please try again in ${wait}.`,
  codeCooldown: (wait: string) => `Please wait ${wait} before asking for another code.`,
  codes: (wait: string) => `Too many codes were asked for. Please try again in ${wait}.`,
  wrongCodes: (wait: string) => `Too many wrong codes. Please try again in ${wait}.`,
  logins: (wait: string) => `Too many login attempts. Please try again in ${wait}.`,
  passwords: (wait: string) => `Too many wrong passwords. Please try again in ${wait}.`,
  exports: (wait: string) => `Your data was exported often today. Please try again in ${wait}.`,
  chats: (wait: string) => `Too many chats were asked for. Please try again in ${wait}.`,
  settings: (wait: string) =>
    `Too many settings were changed at once. Please try again in ${wait}.`,
  pictures: (wait: string) => `You have made many pictures. Please try again in ${wait}.`,
  networkPictures: (wait: string) =>
    `Many pictures were made from your network. Please try again in ${wait}.`,
  visitorPictures: (wait: string) =>
    `Many pictures were made from your network. Please log in, or try again in ${wait}.`,
  pictureSpace: (wait: string) =>
    `Your pictures took much space today. Please try again in ${wait}.`,
  networkPictureSpace: (wait: string) =>
    `The pictures of your network took much space today. Please try again in ${wait}.`,
  paidPictures: (wait: string) =>
    `This server has made as many pictures as it can pay for today. Please try again in ${wait}.`,
  prompts: (wait: string) => `You have enhanced many prompts. Please try again in ${wait}.`,
  networkPrompts: (wait: string) =>
    `Many prompts were enhanced from your network. Please try again in ${wait}.`,
  translations: (wait: string) =>
    `This server has had as many texts translated as it may today. Please try again in ${wait}.`,
  weather: (wait: string) =>
    `This server has asked for the weather as often as it may. Please try again in ${wait}.`,
  downloads: (wait: string) => `You have downloaded a lot. Please try again in ${wait}.`,
};
