import { beginSpeaking } from '../../src-renderer/words/language.ts'

const browser = {
  localStorage: { getItem: () => null },
  navigator: { languages: ['en'] },
  document: { documentElement: { lang: '' } },
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a window as choosing a language needs
await beginSpeaking(browser as unknown as Window)
