/** What may be told about a screen that could not be drawn: names of errors and places in our own code. Pure. */

/** More frames name nothing new. */
const FRAMES = 30

/**
 * The fault as a text for the diagnostics. What an error says in words may hold a value of a patient's field, and the
 * address of a screen the id of a case: both stay out.
 */
export function crashText(crash: {
  readonly screen: string
  readonly error: unknown
  readonly componentStack: string
}): string {
  const { screen, error, componentStack } = crash
  const name = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'unknown'
  const thrownAt = error instanceof Error ? framesOf(error.stack ?? '').filter(hasPosition) : []
  return [
    '== Screens ==',
    `screen: ${screenName(screen)}`,
    `error: ${name}`,
    'thrown:',
    ...thrownAt,
    'drawn in:',
    ...framesOf(componentStack),
    '',
  ].join('\n')
}

/** The first part of an address behind the `#`: what follows names a case. */
function screenName(location: string): string {
  return /^#?\/?([a-z]+)/i.exec(location)?.[1] ?? 'unknown'
}

/** The words of an error stand in its stack, too, and some of them may look like a frame. */
function hasPosition(frame: string): boolean {
  return frame.endsWith(')')
}

/** `at QueueRow (queue-screen-3fa2c1.js:12:345)`: the name of a function or component, and where it stands. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const at = /^\s*at ([\w$.]+)(?![\w$.]|:\/\/)/.exec(line)?.[1] ?? /^\s*([\w$.]+)@/.exec(line)?.[1]
      const position = /([\w.-]+\.(?:js|ts|tsx))(?:\?[^:)\s]*)?(:\d+:\d+)\)?\s*$/.exec(line)
      if (at === undefined && position === null) return []
      return [`  at ${at ?? 'unnamed'}${position === null ? '' : ` (${position[1]}${position[2]})`}`]
    })
    .slice(0, FRAMES)
}
