/** The forms of the account: the call that a form makes, and the one message about what is wrong with it. */
import { useMutation, type UseMutationOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import * as v from 'valibot';

import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { ApiError, call, errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { formatWait } from '#lib/wait';

import { texts } from './texts.ts';

/**
 * The call that a form makes. What was typed (passwords, codes) leaves the cache when the call ends.
 * `isRunning` is up to date before the next render, so that a form cannot be sent twice.
 */
export function useFormCall<E extends Endpoint>(
  endpoint: E,
  options: Pick<UseMutationOptions<Answer<E>, Error, CallInput<E>>, 'onSuccess'> = {},
) {
  const client = useQueryClient();
  const mutationKey = [endpoint.path];
  const mutation = useMutation<Answer<E>, Error, CallInput<E>>({
    mutationKey,
    mutationFn: (input) => call(endpoint, input),
    gcTime: 0,
    ...options,
  });
  return {
    mutate: mutation.mutate,
    isPending: mutation.isPending,
    isSuccess: mutation.isSuccess,
    isRunning: () => client.isMutating({ mutationKey }) > 0,
  };
}

export type Problem = {
  readonly message: string;
  /** The names of the fields with the problem; the first one is focused. */
  readonly fields: readonly string[];
  /** The name of the field to focus when no field is to blame. */
  readonly focused?: string;
  /** The error code, if the server refused. */
  readonly code?: string;
};

/**
 * Validates the typed values by the endpoint's schema; returns undefined when they are valid. Missing
 * fields come first, all in one message.
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
  const missing = found.filter(({ message }) => message === fieldTexts.allFieldsRequired);
  const [first] = missing.length > 0 ? missing : found;
  return (
    first && {
      message: first.message,
      fields: (missing.length > 0 ? missing : [first]).map(({ field }) => field),
    }
  );
}

/** Turns a refused or failed call into a problem; `fallback` is the message if the server sent none. */
export function toProblem(
  error: unknown,
  { fallback, fields = [] }: { readonly fallback: string; readonly fields?: readonly string[] },
): Problem {
  const reason = errorText(error, fallback);
  if (!(error instanceof ApiError)) {
    return { message: reason, fields };
  }
  const isWaitMissing = error.retryAfterS !== undefined && !/\d/.test(reason);
  return {
    message: isWaitMissing
      ? `${reason} ${texts.tryAgainIn(formatWait(error.retryAfterS ?? 0))}`
      : reason,
    fields,
    code: error.code,
  };
}

/**
 * The problem of a form. Its first field is focused as soon as the form is enabled again: a disabled
 * field cannot have the focus.
 */
export function useFormProblem({ isBusy }: { readonly isBusy: boolean }) {
  const platform = usePlatform();
  const form = useRef<HTMLFormElement>(null);
  const problemId = useId();
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    if (problem && !isBusy) {
      const name = problem.focused ?? problem.fields[0];
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
    /** Props that connect a field to the message, if the message is about it. */
    describe: (field: string) => {
      const isInvalid = problem?.fields.includes(field) === true;
      return { isInvalid, describedBy: isInvalid ? problemId : undefined };
    },
  };
}

/** The values of a form by field name. */
export function readForm(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
