/**
 * A disk that fails at the step that a test names. A test file puts it under everything it loads,
 * see `vi.mock` in those who use it.
 */
type Fault = { readonly at: number; readonly code: string; readonly times: number }

const CALLS = ['open', 'mkdir', 'rename', 'rm', 'unlink', 'statfs'] as const
const HANDLE_CALLS = ['write', 'writeFile', 'sync', 'close'] as const

type Act = (...parts: unknown[]) => Promise<unknown>

class FailingDisk {
  /** The steps under the folder since the last `watch`, such as `open` or `sync`. */
  steps: string[] = []
  #folder: string | null = null
  #fault: Fault | null = null

  /** Counts what happens under this folder from now on, and fails from step `at` (1 is the first) on, so many times. */
  watch(folder: string | null, fault: Omit<Fault, 'times'> & { readonly times?: number } = NEVER): void {
    this.steps = []
    this.#folder = folder
    this.#fault = { times: 1, ...fault }
  }

  /** Did the fault that was asked for happen? */
  hasFailed(): boolean {
    return this.#fault !== null && this.steps.length >= this.#fault.at
  }

  over(original: object): object {
    const real = original as Record<string, Act>
    const calls = Object.fromEntries(
      CALLS.map((name) => [
        name,
        async (...parts: unknown[]) => {
          const [first, second] = parts
          const isOurs = this.#isOurs(first) || (name === 'rename' && this.#isOurs(second))
          if (isOurs) this.#step(name)
          const value = await real[name]?.(...parts)
          return name === 'open' && isOurs ? this.#handleOver(value as object) : value
        },
      ]),
    )
    return { ...real, ...calls }
  }

  #isOurs(path: unknown): boolean {
    return this.#folder !== null && typeof path === 'string' && path.startsWith(this.#folder)
  }

  #step(name: string): void {
    this.steps.push(name)
    if (this.#fault === null) return
    const { at, code, times } = this.#fault
    const past = this.steps.length - at
    if (past >= 0 && past < times)
      throw Object.assign(new Error(`${code}: injected`), { code, syscall: name })
  }

  #handleOver(handle: object): object {
    const step = (name: string): void => this.#step(name)
    return new Proxy(handle, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const act = value.bind(target) as Act
        if (!HANDLE_CALLS.some((call) => call === name)) return act
        return async (...parts: unknown[]) => {
          // What fails at its close is closed nevertheless.
          const closed = name === 'close' ? await act() : undefined
          step(String(name))
          return name === 'close' ? closed : act(...parts)
        }
      },
    })
  }
}

const NEVER = { at: Infinity, code: 'EIO' }

export const failingDisk = new FailingDisk()
