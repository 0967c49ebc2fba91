/** A round picture made of letters. */
import styles from './avatar.module.css';

type AvatarProps = { readonly title: string; readonly id: string };

/** The initials of a chat on a colour that belongs to its id, as Telegram's clients draw a chat without a photo. */
export function Avatar({ title, id }: AvatarProps) {
  const hue = avatarHues[Number(id.slice(-9)) % avatarHues.length] ?? 0;
  return (
    <span
      className={styles.avatar}
      style={{
        backgroundImage: `linear-gradient(oklch(0.68 0.15 ${hue}), oklch(0.55 0.17 ${hue}))`,
      }}
    >
      {initials(title)}
    </span>
  );
}

/** Red, orange, violet, green, cyan, blue and pink, in the order of Telegram's clients. */
const avatarHues = [25, 60, 290, 145, 200, 245, 340] as const;

/** The first letters or digits of the first and of the last word, also when they have two code units. */
function initials(title: string): string {
  const letters = title.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0] ?? '#', ...letters.slice(1).slice(-1)].join('').toUpperCase();
}
