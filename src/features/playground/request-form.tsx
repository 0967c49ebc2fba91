/** The form of an endpoint: its parameters, its examples, the address that comes of them, and the button. */
import { type Ref, useSyncExternalStore } from 'react';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { Button, SubmitButton } from '#ui/button';
import { CopyButton } from '#ui/copy-button';

import { useDrafts } from './drafts.ts';
import { ExampleList } from './example-list.tsx';
import { ParameterField } from './parameter-field.tsx';
import { defaultsOf, requestUrl, sentPath } from './request.ts';
import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type RequestFormProps = {
  readonly ref: Ref<HTMLFormElement>;
  readonly endpoint: PublicEndpoint;
  readonly values: Values;
  /** Parameter → what is wrong with it. */
  readonly mistakes: Readonly<Record<string, string>>;
  readonly isExecuting: boolean;
  /** The container shows the action on its own button. */
  readonly isElsewhere: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
};

export function RequestForm(props: RequestFormProps) {
  const { ref, endpoint, values, mistakes, isExecuting, isElsewhere, onSubmit, onCancel } = props;
  const { parameters, examples } = endpoint;
  const fill = useDrafts((drafts) => drafts.fill);

  function change(name: string, value: string): void {
    // What was chosen from a list that this value decides is in that list no longer.
    const gone = parameters.filter(({ optionsFrom }) => optionsFrom?.needs === name);
    fill(endpoint, {
      ...values,
      ...Object.fromEntries(gone.map((parameter) => [parameter.name, ''])),
      [name]: value,
    });
  }

  return (
    <form
      ref={ref}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={styles.formHead}>
        <h3>{texts.parameters}</h3>
        <Button kind="quiet" onClick={() => fill(endpoint, defaultsOf(endpoint))}>
          {texts.reset}
        </Button>
      </div>
      {parameters.some(({ required }) => required) && (
        <p className={shared.hint}>{texts.required}</p>
      )}
      {parameters.length === 0 && <p className={shared.hint}>{texts.noParameters}</p>}
      <div className={styles.fields}>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            values={values}
            mistake={mistakes[parameter.name]}
            onChange={(value) => change(parameter.name, value)}
          />
        ))}
      </div>
      <ExampleList
        examples={examples}
        onLoad={({ parameters: loaded }) => fill(endpoint, { ...defaultsOf(endpoint), ...loaded })}
      />
      <RequestUrl path={sentPath(endpoint, values)} />
      <div className={styles.actions}>
        <SubmitButton
          text={texts.execute}
          busyText={texts.executing}
          isBusy={isExecuting}
          isElsewhere={isElsewhere}
          isWide={false}
        />
        {isExecuting && <Button onClick={onCancel}>{texts.cancel}</Button>}
        <p className={styles.shortcuts}>
          <kbd>/</kbd> {texts.shortcuts}
        </p>
      </div>
    </form>
  );
}

const never = () => () => undefined;

/** Of the page; not known while it is prerendered. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => '',
  );
}

function RequestUrl({ path }: { readonly path: string }) {
  const url = requestUrl(path, useOrigin());
  const copyText = useCopyText();
  return (
    <section className={styles.urlBox} aria-label={texts.requestUrl}>
      <h3>{texts.requestUrl}</h3>
      <div className={styles.url}>
        <code>{url}</code>
        <CopyButton label={texts.copyUrl} copy={() => copyText(url)} />
      </div>
    </section>
  );
}
