import type { ManagedFile } from '../../src-shared/setting-source.ts'
import type { HostWords } from './words/host-words.ts'

/** What to tell of the administrator's files; null where all is as it should be. Pure. */
export function managedTrouble(
  files: readonly ManagedFile[],
  words: HostWords['managed'],
): { readonly title: string; readonly detail: string; readonly close: string } | null {
  const troubles = files.flatMap((file) => {
    const trouble = troubleOf(file)
    if (trouble === null) return []
    const follows = whatFollows(file, words)
    const detail = file.detail === null ? [] : [file.detail]
    return [
      [`${words.files[file.kind]}: ${file.path}`, words.troubles[trouble], ...detail, ...follows].join('\n'),
    ]
  })
  if (troubles.length === 0) return null
  return { title: words.title, detail: [...troubles, words.where].join('\n\n'), close: words.close }
}

function whatFollows({ kind, inForce }: ManagedFile, words: HostWords['managed']): string[] {
  if (kind === 'enrolment') return []
  if (inForce === 'lastKnown') return [words.lastKnown]
  return [kind === 'configuration' ? words.noConfiguration : words.nothing]
}

function troubleOf({ state, inForce }: ManagedFile): keyof HostWords['managed']['troubles'] | null {
  if (state === 'read' || state === 'taken') return null
  // Where there never was one, nothing is missing.
  return state === 'none' && inForce === 'nothing' ? null : state
}
