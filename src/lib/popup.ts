/** Questions waiting for an answer where the container has no popup of its own; the shell shows them. */
import { create } from 'zustand';

import { type Popup } from './platform-types.ts';

type Question = Popup & { readonly id: number; readonly answer: (buttonId?: string) => void };

export const usePopups = create<{ readonly questions: readonly Question[] }>()(() => ({
  questions: [],
}));

let asked = 0;

/** Queues a question; resolves to the pressed button's id, or undefined when it was dismissed. */
export function askPopup(popup: Popup): Promise<string | undefined> {
  return new Promise((resolve) => {
    asked += 1;
    const id = asked;
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
