/** The method of a call, as a badge. */
import styles from './endpoint-list.module.css';

export function MethodBadge({ method }: { readonly method: string }) {
  return <span className={styles.method}>{method}</span>;
}
