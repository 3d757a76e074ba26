/** The English texts of all parts. i18next knows its keys by their type; no program loads this file. */
import * as firstPage from './en/first-page.ts'
import host from './en/host.json' with { type: 'json' }
import * as otherScreens from './en/other-screens.ts'
import start from './en/start.json' with { type: 'json' }

export const english = { ...firstPage, ...otherScreens, host, start }

export type Texts = typeof english

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface CustomTypeOptions {
    resources: Texts
    defaultNS: 'shell'
    returnNull: false
  }
}
