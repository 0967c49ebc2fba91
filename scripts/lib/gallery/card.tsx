/** A simple card for the test page of the gallery: cover, type, name, ID, two buttons, a checkbox. */
import { Copy, RefreshCw } from 'lucide-react';

import { type BenchItem } from './items.ts';

import styles from './card.module.css';

type CardProps = { readonly item: BenchItem; readonly tabIndex?: 0 | -1 };

export function Card({ item, tabIndex = 0 }: CardProps) {
  return (
    <article className={styles.card}>
      <img className={styles.cover} src={item.cover} alt="" decoding="async" />
      <span className={styles.type}>LoRA</span>
      <label className={styles.tick}>
        <input type="checkbox" tabIndex={tabIndex} aria-label={`Add ${item.title}`} />
      </label>
      <div className={styles.caption}>
        <h2 className={styles.title}>{item.title}</h2>
        <p className={styles.id}>{item.id}</p>
        <div className={styles.buttons}>
          <button type="button" tabIndex={tabIndex} aria-label="Copy the id">
            <Copy size={16} aria-hidden />
          </button>
          <button type="button" tabIndex={tabIndex} aria-label="Flip">
            <RefreshCw size={16} aria-hidden />
          </button>
        </div>
      </div>
    </article>
  );
}
