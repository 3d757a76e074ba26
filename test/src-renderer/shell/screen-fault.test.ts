import { describe, expect, it } from 'vitest'
import { crashText } from '../../../src-renderer/shell/error-boundary.tsx'

class QuixwoodError extends Error {
  override readonly name = 'Quixwood, Zacarias'
}

function errorWith(stack: string): Error {
  const error = new TypeError('Cannot read properties of Quixwood')
  error.stack = stack
  return error
}

describe('what is told of a screen that could not be drawn', () => {
  it('is the screen, the kind of error and the places in our code', () => {
    const error = errorWith(
      [
        "TypeError: Cannot read properties of undefined (reading 'Quixwood')",
        '    at rowOf (http://127.0.0.1:4711/assets/queue-3fa2c1.js:12:345)',
        '    at http://127.0.0.1:4711/assets/queue-3fa2c1.js?v=2:1:7',
        'QuixwoodFrame@app://station/assets/index.js:9:9',
      ].join('\n'),
    )
    const componentStack = '\n    at QueueRow (app://station/assets/queue-3fa2c1.js:3:21)\n    at main\n'
    expect(crashText({ screen: '#/queue/H-00017', error, componentStack })).toBe(
      [
        '== Screens ==',
        'screen: queue',
        'error: TypeError',
        'thrown:',
        '  at rowOf (queue-3fa2c1.js:12:345)',
        '  at unnamed (queue-3fa2c1.js:1:7)',
        '  at QuixwoodFrame (index.js:9:9)',
        'drawn in:',
        '  at QueueRow (queue-3fa2c1.js:3:21)',
        '  at main',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['words of the error', errorWith('TypeError: Quixwood\n    at Zacarias\n  Zacarias'), ''],
    ['a name that is none of a program', new QuixwoodError(), ''],
    ['what is no error at all', 'Quixwood', 'Zacarias Quixwood was here'],
  ])('has no %s', (_what, error, componentStack) => {
    const text = crashText({ screen: 'Quixwood/5', error, componentStack })
    expect(text.replace('screen: Quixwood', '')).not.toMatch(/quixwood|zacarias/i)
  })

  it('ends after as many frames as say something', () => {
    const componentStack = '    at Row (a.js:1:1)\n'.repeat(500)
    expect(crashText({ screen: 'queue', error: null, componentStack }).split('\n')).toHaveLength(36)
  })
})
