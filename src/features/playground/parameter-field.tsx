/** The field of a parameter by its type. The options of some selects are read from another endpoint. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import * as v from 'valibot';

import { endpoint as defineEndpoint, noInput } from '#contract/endpoints/endpoint';
import { publicEndpoints } from '#contract/playground/endpoints';
import {
  type Parameter,
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { call } from '#lib/api';
import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { SelectMenu } from '#ui/select-field';

import { ErrorBox } from './error-box.tsx';
import { getDefaults } from './request.ts';
import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type ParameterFieldProps = {
  readonly parameter: Parameter;
  /** Of the whole form: some fields depend on others. */
  readonly values: Values;
  readonly mistake: string | undefined;
  readonly onChange: (value: string) => void;
};

export function ParameterField(props: ParameterFieldProps) {
  const { parameter, values, mistake, onChange } = props;
  const { name, type, description, placeholder } = parameter;

  if (type === 'select') {
    return <Choice {...props} />;
  }
  if (type === 'textarea') {
    return <LongText {...props} />;
  }
  return (
    <Field
      name={name}
      label={labelText(parameter)}
      hint={description}
      error={mistake}
      value={values[name] ?? ''}
      placeholder={placeholder}
      type={type === 'url' ? 'url' : 'text'}
      inputMode={type === 'number' ? 'numeric' : type}
      required={parameter.required}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function labelText({ name, required }: Parameter): string {
  return required ? `${name} *` : name;
}

function Choice({ parameter, values, mistake, onChange }: ParameterFieldProps) {
  const { name, required, placeholder, defaultValue, optionsFrom } = parameter;
  const { options, isLoading, failed, retry } = useOptions(parameter, values);
  const value = values[name] ?? '';
  // The value of an example or a link may not be in the list, or not yet.
  const allOptions = value === '' || options.includes(value) ? options : [value, ...options];

  return (
    <Labelled parameter={parameter} mistake={mistake}>
      {(attributes) => (
        <>
          <SelectMenu
            {...attributes}
            name={name}
            value={value}
            required={required}
            onChange={({ target }) => onChange(target.value)}
          >
            {(defaultValue === undefined || optionsFrom) && (
              <option value="">
                {isLoading ? texts.loadingOptions : (placeholder ?? texts.choose)}
              </option>
            )}
            {allOptions.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </SelectMenu>
          {failed && (
            <ErrorBox
              reason={texts.optionsFailed[failed]}
              action={<Button onClick={retry}>{texts.retry}</Button>}
            />
          )}
        </>
      )}
    </Labelled>
  );
}

function LongText({ parameter, values, mistake, onChange }: ParameterFieldProps) {
  const { name, required, placeholder } = parameter;
  return (
    <Labelled parameter={parameter} mistake={mistake}>
      {(attributes) => (
        <textarea
          {...attributes}
          name={name}
          className={styles.area}
          rows={3}
          value={values[name] ?? ''}
          placeholder={placeholder}
          required={required}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  );
}

type LabelledProps = Pick<ParameterFieldProps, 'parameter' | 'mistake'> & {
  /** Renders the control with the attributes that name and describe it. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string;
  }) => ReactNode;
};

function Labelled({ parameter, mistake, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {labelText(parameter)}
      </label>
      {children({
        id,
        'aria-invalid': mistake !== undefined || undefined,
        'aria-describedby': mistake === undefined ? `${id}-hint` : `${id}-error ${id}-hint`,
      })}
      {mistake !== undefined && (
        <p id={`${id}-error`} className={styles.mistake} role="alert">
          {mistake}
        </p>
      )}
      <p id={`${id}-hint`} className={shared.hint}>
        {parameter.description}
      </p>
    </div>
  );
}

const freshForMs = 5 * 60_000;

type Options = {
  readonly options: readonly string[];
  readonly isLoading: boolean;
  /** The field of the other endpoint that could not be read. */
  readonly failed: 'categories' | 'characters' | undefined;
  readonly retry: () => void;
};

type OptionsFrom = NonNullable<Parameter['optionsFrom']>;

/** The options of a select: its own list, or one that another endpoint returns. */
function useOptions({ options = [], optionsFrom }: Parameter, values: Values): Options {
  const source = publicEndpoints.find(({ id }) => id === optionsFrom?.endpointId);
  const input = source && optionsFrom ? getInput(source, optionsFrom, values) : undefined;
  const query = useQuery({
    queryKey: ['playground', source?.id, input],
    enabled: input !== undefined,
    staleTime: freshForMs,
    // An error is shown at once, with a button to try again.
    retry: false,
    queryFn: ({ signal }) =>
      source && optionsFrom && input
        ? readOptions(requestPath(source, input), optionsFrom.field, signal)
        : [],
  });

  return {
    options: query.data ?? options,
    isLoading: query.isFetching,
    failed: query.isError && !query.isFetching ? optionsFrom?.field : undefined,
    retry: () => void query.refetch(),
  };
}

/** The values for the other endpoint; undefined while the one that it needs is empty. */
function getInput(
  source: PublicEndpoint,
  { needs }: OptionsFrom,
  values: Values,
): Values | undefined {
  if (needs === undefined) {
    return getDefaults(source);
  }
  const value = values[needs];
  return value === undefined || value === '' ? undefined : { [needs]: value };
}

async function readOptions(
  path: string,
  field: OptionsFrom['field'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const list = defineEndpoint({
    base: 'public',
    method: 'GET',
    path: `/${path.slice(1)}`,
    input: noInput,
    output: v.object({ [field]: v.array(v.string()) }),
  });
  const answer = await call(list, {}, signal);
  return answer[field] ?? [];
}
