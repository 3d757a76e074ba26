import { useCallback, useEffect, useState } from 'react'
import type { CallInput, CallName, CallOutput } from '../../src-shared/contract.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { useSession, useStation } from './use-station.ts'

export type Answer<Value> = {
  /** The latest value that was read; it stays while the next one is on its way or fails. */
  readonly value: Value | null
  readonly failure: Failure | null
  readonly isReading: boolean
  readonly readAgain: () => void
}

/** Reads what a screen shows: at once, when the input changes, and after each new snapshot. Null input: nothing yet. */
export function useAnswer<Name extends CallName>(
  name: Name,
  input: CallInput<Name> | null,
): Answer<CallOutput<Name>> {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const snapshots = useStation((state) => state.snapshots)
  const [turn, setTurn] = useState(0)
  const [got, setGot] = useState<{
    readonly of: string
    readonly value: CallOutput<Name> | null
    readonly failure: Failure | null
  }>({ of: '', value: null, failure: null })
  const asked = JSON.stringify(input)
  /** One reading: the same question of a later snapshot or turn is another one. */
  const wanted = `${snapshots}/${turn}/${asked}`

  useEffect(() => {
    if (asked === 'null' || !isOpen) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      // The input travels as its own JSON, so that an equal one is not read again.
      const answer = await session.call(name, JSON.parse(asked) as CallInput<Name>)
      if (!isCurrent) return
      setGot((before) =>
        answer.ok
          ? { of: wanted, value: answer.value, failure: null }
          : { of: wanted, value: before.value, failure: answer.failure },
      )
    }
    void read()
    return () => {
      isCurrent = false
    }
  }, [session, name, asked, isOpen, wanted])

  const readAgain = useCallback(() => setTurn((before) => before + 1), [])
  const isReading = asked !== 'null' && got.of !== wanted
  return { value: got.value, failure: got.failure, isReading, readAgain }
}
