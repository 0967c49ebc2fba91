/** What users read about the fields of requests of the dashboard and the video player. */

export const chatFieldTexts = {
  chatIdEmpty: 'Please enter a Chat ID',
  unknownSetting: 'There is no such setting',
  settingState: 'A setting is either true (blocked) or false (allowed)',
  settingCount: (max: number) => `A change names between 1 and ${max} settings`,
  unknownChange: 'There is no such kind of change',
  unknownPlace: 'A value belongs to the whole chat, or to a topic by its ID',
  unknownValue: (name: string) => `There is no value “${name}” there`,
  impossibleValue: (name: string) => `“${name}” cannot have this value`,
  valueCount: (max: number) => `A change names between 1 and ${max} values`,
  unknownPreset: 'There is no such preset',
  unknownMedia: 'The bot cannot send a file of this kind',
  fileMissing: 'Please choose a file',
  noContentThere: 'There is no text of this name there',
  unknownService: 'There is no such service',
  videoIdMalformed: 'A video ID has only letters, digits, - and _',
} as const;
