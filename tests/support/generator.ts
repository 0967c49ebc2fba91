/** The generator as a person finds and uses it. */
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

import { generate, generateWithLoras } from '#contract/endpoints/images';
import { renderApp } from '#tests/render-app';

type OpenOptions = Parameters<typeof renderApp>[1];
type Generator = Awaited<ReturnType<typeof openGenerator>>;

export const generatorPath = '/models?provider=pixai&view=generator';
export const inTelegram = { launch: { telegramId: 4242 } } as const;

/** Opens the generator, and waits until a model is chosen and it can be used. */
export async function openGenerator(options?: OpenOptions) {
  const app = await renderApp(generatorPath, options);
  await unfold(app);
  return app;
}

type User = Pick<Awaited<ReturnType<typeof renderApp>>, 'user'>;

/** Waits until a model is chosen, and shows what is folded away: the field of its ID, and the options. */
export async function unfold(app: User): Promise<void> {
  await screen.findByRole('button', { name: 'Change' });
  await showIdField(app);
  await open(app, /^Options/);
}

const showIdField = (app: User) => open(app, 'Paste an ID');

async function open({ user }: User, name: string | RegExp): Promise<void> {
  const closed = screen.queryByRole('button', { name, expanded: false });
  if (closed) {
    await user.click(closed);
  }
}

export const field = (name: string) => screen.getByRole('textbox', { name });
export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const generateButton = () => button(/^(?:Generate|Starting Generation\.\.\.)$/);
export const result = () => within(screen.getByRole('region', { name: 'Result' }));
/** The card of the chosen model, and the field of its ID. */
export const model = () => within(screen.getByRole('group', { name: 'Model' }));
export const loras = () => within(screen.getByRole('region', { name: 'LoRAs' }));
export const ratio = (name: string) => screen.getByRole('radio', { name });

/** What the device keeps of the form. */
export const keptForm = (): unknown =>
  JSON.parse(localStorage.getItem('nori_form_state') ?? 'null');

/** Writes a prompt for a model. */
export async function fillIn(app: Generator, prompt = 'a red fox', modelId = '1001') {
  const { user } = app;
  await showIdField(app);
  await user.clear(field('Model ID'));
  await typeModelId(modelId);
  await user.clear(field('Prompt'));
  await user.type(field('Prompt'), prompt);
}

/** Types an ID without a pause in which a part of it would be asked about. */
export async function typeModelId(modelId: string) {
  await userEvent.setup({ delay: null }).type(field('Model ID'), modelId);
}

/** Adds a LoRA by its ID. */
export async function addLora({ user }: Generator, id: string) {
  const input = loras().getByRole('textbox', { name: 'LoRA ID' });
  await user.type(input, `${id}{Enter}`);
  await waitFor(() => expect(input).toHaveValue(''));
}

/** What was asked of the server to make pictures, in order. */
export const sentRequests = ({ server }: Generator) =>
  [...server.requestsTo(generate), ...server.requestsTo(generateWithLoras)].map(({ body }) => body);

/** Waits for a finished picture in the result. */
export const finished = (prompt: string) => result().findByRole('img', { name: prompt });

/** The field of a LoRA's weight. */
export const weight = (name: string) =>
  loras().getByRole('textbox', { name: `Weight of ${name}, in percent` });

/** Types a weight. */
export async function weigh({ user }: Generator, name: string, typed: string): Promise<void> {
  await user.clear(weight(name));
  if (typed !== '') {
    await user.type(weight(name), typed);
  }
}
