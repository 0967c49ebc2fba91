/** The popups that wait for an answer where the container has none of its own. The shell shows them. */
import { create } from 'zustand';

import { type Popup } from './platform-types.ts';

type Question = Popup & { readonly id: number; readonly answer: (buttonId?: string) => void };

export const usePopups = create<{ readonly questions: readonly Question[] }>()(() => ({
  questions: [],
}));

let lastId = 0;

/** Queues a popup. Resolves to the id of the pressed button, or undefined when dismissed. */
export function askPopup(popup: Popup): Promise<string | undefined> {
  return new Promise((resolve) => {
    lastId += 1;
    const id = lastId;
    const answer = (buttonId?: string) => {
      usePopups.setState(({ questions }) => ({
        questions: questions.filter((question) => question.id !== id),
      }));
      resolve(buttonId);
    };
    usePopups.setState(({ questions }) => ({
      questions: [...questions, { ...popup, id, answer }],
    }));
  });
}
