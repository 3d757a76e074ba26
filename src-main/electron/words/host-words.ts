/**
 * What the host says to a person, outside of the screens.
 *
 * One file a room, both languages side by side, so that who writes one sees the other; the compiler asks for each text
 * in each language. No library of translations: there are few texts, and a text with a number in it is a function.
 */
import type { HostLanguage } from './host-language.ts'
import { lifeWords } from './life-words.ts'
import { managedWords } from './managed-words.ts'
import { noticeWords } from './notice-words.ts'
import { recoveryWords } from './recovery-words.ts'
import { trayWords } from './tray-words.ts'

/**
 * All texts of the host in one language: `hostWords('es').tray.open`. Whoever shows texts for long asks for them anew
 * when the language changes, see `host-speech.ts`.
 */
export function hostWords(language: HostLanguage) {
  return {
    language,
    tray: trayWords[language],
    notices: noticeWords[language],
    recovery: recoveryWords[language],
    managed: managedWords[language],
    life: lifeWords[language],
  }
}
export type HostWords = ReturnType<typeof hostWords>
