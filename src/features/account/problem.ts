/** What is wrong with a form, as one message: found before sending, or told by the server. */
import { useEffect, useId, useRef, useState } from 'react';
import * as v from 'valibot';

import { ApiError, errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';

import { texts } from './texts.ts';

export type Problem = {
  readonly message: string;
  /** The names of the fields it is about; the first one is focused. */
  readonly fields: readonly string[];
  /** The server's stable code, when it comes from there. */
  readonly code?: string;
};

/**
 * What the contract has against the typed values; undefined when it has nothing. Missing fields come
 * first, and all of them are one message.
 */
export function findProblem(
  schema: v.GenericSchema<Record<string, unknown>, unknown>,
  values: Readonly<Record<string, string>>,
): Problem | undefined {
  const { issues } = v.safeParse(schema, values, { abortPipeEarly: true });
  if (!issues) {
    return undefined;
  }
  const found = issues.map((issue) => ({
    message: issue.message,
    field: v.getDotPath(issue) ?? '',
  }));
  const missing = found.filter(({ message }) => message === texts.allFieldsRequired);
  const [first] = missing.length > 0 ? missing : found;
  return (
    first && {
      message: first.message,
      fields: (missing.length > 0 ? missing : [first]).map(({ field }) => field),
    }
  );
}

/** A refused or failed call as a problem; `fallback` is what to say when the server said nothing. */
export function problemOf(
  error: unknown,
  { fallback, fields = [] }: { readonly fallback: string; readonly fields?: readonly string[] },
): Problem {
  const reason = errorText(error, fallback);
  if (!(error instanceof ApiError)) {
    return { message: reason, fields };
  }
  const isWaitUnsaid = error.retryAfterS !== undefined && !/\d/.test(reason);
  return {
    message: isWaitUnsaid ? `${reason} ${texts.tryAgainIn(error.retryAfterS ?? 0)}` : reason,
    fields,
    code: error.code,
  };
}

/**
 * A form and the one message about it. Its first bad field is focused once the form can be used
 * again: a disabled field cannot be focused, and one that was disabled has lost the focus.
 */
export function useFormProblem({ isBusy }: { readonly isBusy: boolean }) {
  const platform = usePlatform();
  const form = useRef<HTMLFormElement>(null);
  const problemId = useId();
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    if (problem && !isBusy) {
      const [name] = problem.fields;
      const field = name === undefined ? undefined : form.current?.elements.namedItem(name);
      if (field instanceof HTMLElement) {
        field.focus();
      }
    }
  }, [problem, isBusy]);

  return {
    form,
    problem,
    problemId,
    fail: (found: Problem) => {
      setProblem(found);
      platform.haptic('error');
    },
    clear: () => setProblem(undefined),
    /** What ties a field to the message when the message is about it. */
    describe: (field: string) => {
      const isInvalid = problem?.fields.includes(field) === true;
      return { isInvalid, describedBy: isInvalid ? problemId : undefined };
    },
  };
}

/** The typed texts of a form by field name. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
