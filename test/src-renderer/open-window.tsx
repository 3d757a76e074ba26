/** The whole window in happy-dom on a link in memory: a test gives the answers, presses and types as a person does. */
import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import { writeInitials } from '../../src-renderer/decisions/decisions.tsx'
import type { Connection, LinkMessage, StationLink } from '../../src-renderer/link/link.ts'
import { createBroadcast } from '../../src-renderer/link/link.ts'
import { Shell } from '../../src-renderer/shell/shell.tsx'
import { ToastArea } from '../../src-renderer/shell/toast.tsx'
import { openStationSession } from '../../src-renderer/store/store.ts'
import { StationContext } from '../../src-renderer/store/use-station.ts'
import {
  type CallInput,
  type CallName,
  type CallOutput,
  calls,
  type EventName,
  type EventPayload,
  type StationEvent,
} from '../../src-shared/contract.ts'
import { fail, failureOf, type Result } from '../../src-shared/failure.ts'
import { settingsSchema } from '../../src-shared/settings.ts'
import { countsOf, syntheticStatus } from './synthetic-submission.ts'

/** What the station says to some calls; others fail as not found. */
export type Answers = {
  readonly [Name in CallName]?:
    | CallOutput<Name>
    | ((input: CallInput<Name>) => CallOutput<Name> | Promise<CallOutput<Name>>)
}

export const SETTINGS: CallOutput<'settings.get'> = {
  ...settingsSchema.omit({ service: true }).parse({ setup: 'done', centerId: '101' }),
  service: {
    baseUrl: 'https://cases.example/api',
    clientId: 'north',
    callbackUrl: null,
    referenceField: 'other_relevant_info',
    hasClientSecret: true,
  },
  managed: {},
}

const DEFAULTS: Answers = {
  'station.status': syntheticStatus({ centerId: '101' }),
  'settings.get': SETTINGS,
  'submissions.list': { items: [], total: 0, counts: countsOf() },
  'submissions.ageing': { items: [], count: 0 },
  'reports.list': { items: [], awaiting: 0 },
  'centers.list': {
    items: [
      { centerId: '101', name: 'North Eye Centre', isCurrent: true },
      { centerId: '102', name: 'Harbour Clinic', isCurrent: false },
    ],
    centerId: '101',
  },
}

/** Opens the window at an address such as `#/activity`. */
export function openWindow(hash: string, answers: Answers = {}) {
  const asked: { readonly name: CallName; readonly input: unknown }[] = []
  const allAnswers: Answers = { ...DEFAULTS, ...answers }
  const messages = createBroadcast<LinkMessage>()
  let revision = 0
  const call = async <Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<Result<CallOutput<Name>>> => {
    asked.push({ name, input })
    const answer: Answers[Name] = allAnswers[name]
    if (answer === undefined) return fail(failureOf('notFound'))
    const value: unknown = typeof answer === 'function' ? await answer(input) : answer
    // A test that answers what no station says is wrong.
    return { ok: true, value: calls[name].output.parse(value) as CallOutput<Name> }
  }
  const link: StationLink = {
    call,
    onMessage: messages.subscribe,
    onConnection: (listener: (connection: Connection) => void) => {
      listener({ kind: 'open', revision })
      return () => undefined
    },
    readBytes: () => Promise.resolve(new Blob()),
    createBytesUrl: () => Promise.resolve({ url: 'data:,', release: () => undefined }),
    uploadFile: () => Promise.resolve(fail(failureOf('notFound'))),
    close: () => undefined,
  }
  // Areas of text measure their fonts, which happy-dom does not have.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
  // Screens load their code once the station can be reached.
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()))
  // Tests share the modules of a thread: initials that another wrote would sign, and notices that it left fill the four
  // that are shown, so that a new one waits.
  writeInitials('')
  notifications.clean()
  window.location.hash = hash
  window.dispatchEvent(new Event('hashchange'))
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const session = openStationSession(link)
  root.render(
    <MantineProvider env="test">
      <StationContext value={session}>
        <ToastArea />
        <Shell />
      </StationContext>
    </MantineProvider>,
  )
  onTestFinished(() => {
    root.unmount()
    vi.unstubAllGlobals()
    session.close()
    document.body.replaceChildren()
    window.sessionStorage.clear()
  })
  return {
    asked,
    inputsOf: (name: CallName) => asked.filter((one) => one.name === name).map(({ input }) => input),
    emit: <Name extends EventName>(name: Name, payload: EventPayload<Name>): void => {
      revision += 1
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name and its payload belong together
      messages.emit({ kind: 'event', event: { name, revision, payload } as StationEvent })
    },
  }
}

/** A screen loads its code when it is opened first. */
const WITHIN = { timeout: 10_000, interval: 10 }
const TAGS: Readonly<Record<string, string>> = {
  button: 'button, summary',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  textbox:
    'input:not([type]), input:is([type="text"], [type="search"], [type="password"], [type="url"]), textarea',
  searchbox: 'input[type="search"]',
  checkbox: 'input[type="checkbox"]',
  radio: 'input[type="radio"]',
  combobox: 'select',
  row: 'tr',
  listitem: 'li',
  slider: 'input[type="range"]',
  main: 'main',
  region: 'section',
  table: 'table',
  article: 'article',
  list: 'ul, ol',
}

function nameOf(element: Element): string {
  const labelledBy = element.getAttribute('aria-labelledby')
  if (labelledBy !== null)
    return labelledBy
      .split(' ')
      .map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? '')
      .join(' ')
  const label = element.getAttribute('aria-label')
  if (label !== null) return label
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName))
    return (
      document.querySelector(`label[for="${element.id}"]`)?.textContent ??
      element.closest('label')?.textContent ??
      ''
    )
  return element.querySelector(':scope > caption')?.textContent ?? element.textContent
}

/** The elements of a role whose name is this text or matches it. */
export function all(
  role: string,
  name: string | RegExp = /(?:)/,
  within: ParentNode = document,
): HTMLElement[] {
  const tags = TAGS[role]
  const found = [...within.querySelectorAll<HTMLElement>(`[role="${role}"]${tags ? `, ${tags}` : ''}`)]
  return found.filter((one) => {
    const role2 = one.getAttribute('role')
    if (role2 !== null && role2 !== role) return false
    const texts = nameOf(one).replaceAll(/\s+/g, ' ').trim()
    return typeof name === 'string' ? texts === name : name.test(texts)
  })
}

/** Waits for the element of a role by its name. */
export async function find(role: string, name?: string | RegExp, within?: ParentNode): Promise<HTMLElement> {
  return vi.waitFor(() => {
    const [first] = all(role, name, within)
    if (!first)
      throw new Error(
        `There is no ${role} ${String(name)} in: ${document.querySelector('main')?.textContent}`,
      )
    return first
  }, WITHIN)
}

/** Waits until this stands on the screen. */
export async function shows(text: string | RegExp, within?: ParentNode): Promise<void> {
  const isShown = (texts: string): boolean =>
    typeof text === 'string' ? texts.includes(text) : text.test(texts)
  await vi.waitFor(() => {
    // Mantine puts its sheets into the page; what opens over a screen is beside it.
    const parts = within
      ? [within]
      : [...document.body.querySelectorAll('main, [role="dialog"], [role="status"], header, nav')]
    const texts = parts.map((one) => one.textContent).join(' ')
    if (!isShown(texts)) throw new Error(`${String(text)} is not in: ${texts}`)
  }, WITHIN)
}

export async function click(role: string, name?: string | RegExp, within?: ParentNode): Promise<void> {
  const element = await find(role, name, within)
  element.click()
  // Which happy-dom leaves out.
  if (element instanceof HTMLAnchorElement) window.dispatchEvent(new Event('hashchange'))
}

/** Fills in a field, or chooses an option by its text. */
export async function type(role: string, name: string | RegExp, text: string): Promise<void> {
  const field = await find(role, name)
  if (field instanceof HTMLSelectElement) {
    const option = [...field.options].find((one) => one.text === text || one.value === text)
    set(field, HTMLSelectElement.prototype, option?.value ?? text)
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return
  }
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  set(field, prototype.prototype, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Past React, which keeps the value that it has set and takes an equal one for no change. */
function set(field: HTMLElement, prototype: object, value: string): void {
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
}

/** A key in the element that has the focus. */
export function press(key: string, element: Element = document.activeElement ?? document.body): void {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
