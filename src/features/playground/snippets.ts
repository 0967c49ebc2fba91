/** The call in other people's words: shell, browser, axios, Python. The session's token is in none of them. */

export const languages = ['curl', 'fetch', 'axios', 'python'] as const;
export type Language = (typeof languages)[number];

const writers: Readonly<Record<Language, (url: string) => string>> = {
  curl: (url) => `curl ${inShell(url)} \\\n  -H 'Accept: application/json'`,
  fetch: (url) =>
    `const response = await fetch(${inScript(url)}, {
  headers: { Accept: 'application/json' },
});
const data = await response.json();`,
  axios: (url) =>
    `import axios from 'axios';

const { data } = await axios.get(${inScript(url)}, {
  headers: { Accept: 'application/json' },
});`,
  python: (url) =>
    `import requests

response = requests.get(
    ${JSON.stringify(url)},
    headers={"Accept": "application/json"},
    timeout=30,
)
data = response.json()`,
};

export function snippetOf(language: Language, url: string): string {
  return writers[language](url);
}

/** Addresses have no line breaks; a quote ends the word, stands for itself, and begins another. */
function inShell(url: string): string {
  return `'${url.replaceAll("'", String.raw`'\''`)}'`;
}

function inScript(url: string): string {
  return `'${url.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
