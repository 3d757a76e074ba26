import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../store/use-station.ts'
import { nextUploads, withChange, type ChosenFile } from './chosen-files.ts'
import { newCase } from './new-case-store.ts'

function change(id: string, changes: Partial<Pick<ChosenFile, 'eye' | 'state'>>): void {
  newCase.setState(({ files }) => ({ files: withChange(files, id, changes) }))
}

/** Hands the chosen files over to the station, a few at a time, while the person fills in the rest. */
export function useUploads(): void {
  const { link } = useSession()
  const files = useStore(newCase, (state) => state.files)
  useEffect(() => {
    for (const { id, file } of nextUploads(files)) {
      change(id, { state: { kind: 'sending', sentBytes: 0 } })
      const upload = async (): Promise<void> => {
        const answer = await link.uploadFile(file, (sentBytes) =>
          change(id, { state: { kind: 'sending', sentBytes } }),
        )
        change(id, {
          state: answer.ok
            ? { kind: 'kept', path: answer.value.path, sha256: answer.value.sha256 }
            : { kind: 'refused', why: { message: answer.failure.message }, mayTryAgain: true },
        })
      }
      void upload()
    }
  }, [link, files])
}
