/** How searches compare texts, on devices and in languages with other letters. */
import { expect, test, vi } from 'vitest';

import { toSearchable } from '#lib/search-term';

test('on a Turkish device "id" finds "ID", and "telegram id" finds "TELEGRAM ID"', () => {
  vi.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function turkish(
    this: string,
  ) {
    return this.replaceAll('I', 'ı').toLowerCase();
  });
  expect('ID'.toLocaleLowerCase()).toBe('ıd');

  expect(toSearchable('Telegram ID')).toContain(toSearchable('id'));
  expect(toSearchable('TELEGRAM ID')).toContain(toSearchable('telegram id'));
});

test.each([
  ['Turkish', 'Işık ayarları', 'ISIK'],
  ['Turkish', 'İstanbul', 'istanbul'],
  ['Spanish', 'Configuración', 'configuracion'],
  ['Uzbek', 'Oʻchirish', "o'chirish"],
  ['Persian', 'موضوع‌ها', 'موضوعها'],
  ['Persian', 'تصویری', 'تصويري'],
  ['Hindi', 'संदेश', 'संदेश'],
])('in %s “%s” is found by “%s”', (_language, text, term) => {
  expect(toSearchable(text)).toContain(toSearchable(term));
});

test('a letter with a sign of its own is not found by another letter', () => {
  expect(toSearchable('Ordner')).not.toContain(toSearchable('Ärger'));
  expect(toSearchable('संदेश')).not.toContain(toSearchable('सदेश'));
});
