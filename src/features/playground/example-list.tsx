/** Examples of an endpoint, each of which fills the form. */
import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { Button } from '#ui/button';

import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type Example = PublicEndpoint['examples'][number];

type ExampleListProps = {
  readonly examples: readonly Example[];
  readonly onLoad: (example: Example) => void;
};

export function ExampleList({ examples, onLoad }: ExampleListProps) {
  if (examples.length === 0) {
    return null;
  }
  return (
    <section className={styles.examples}>
      <h3>{texts.examples}</h3>
      <ul>
        {examples.map((example) => (
          <li key={example.name} className={styles.example}>
            <div className={styles.exampleText}>
              <strong>{example.name}</strong>
              <span className={shared.hint}>{example.description}</span>
            </div>
            <Button aria-label={texts.loadExample(example.name)} onClick={() => onLoad(example)}>
              {texts.load}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
