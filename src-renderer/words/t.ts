/**
 * The words of the screens: `t('queue:columns.state')`. Asked for while a screen is drawn, never while a module is
 * loaded: the language is chosen after that.
 */
import i18next from 'i18next'
import type { Words } from './english.ts'

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface CustomTypeOptions {
    resources: Words
    defaultNS: 'shell'
    returnNull: false
  }
}

export const t = i18next.t
