/** Switches between the light and the dark theme. */
import { Moon, Sun } from 'lucide-react';

import { chooseTheme, useTheme } from '#lib/theme';
import { IconButton } from '#ui/button';

import { texts } from './texts.ts';

export function ThemeSwitch() {
  const isDark = useTheme() === 'dark';
  const Icon = isDark ? Sun : Moon;
  return (
    <IconButton
      label={isDark ? texts.switchToLight : texts.switchToDark}
      icon={<Icon aria-hidden="true" size={20} />}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  );
}
