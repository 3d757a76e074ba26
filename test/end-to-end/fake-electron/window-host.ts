/** What a window in Chromium needs of the running app. */
import type { Frame, PageEvent, Question } from './app/messages.ts'

export type WindowHost = {
  /** Asks the app; rejects where it is gone. */
  ask(question: Question): Promise<unknown>
  tell(event: PageEvent): void
  send(frame: Frame, channel: string, parameters: readonly unknown[]): void
  unknown(member: string): void
  /** An address of the app's scheme as the browser knows it, and back. */
  toBrowser(address: string): string
  toApp(address: string): string
}
