import { useEffect, useState } from 'react'
import { Portal } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { addFiles } from './new-case-store.ts'
import css from './drop-place.module.css'

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

export type DropPlaceProps = {
  /** What is shown over the screen while files are held over it. */
  readonly words: string
  readonly onDropped?: () => void
}

/** Takes files that are dropped anywhere in the window; without it a browser would leave the screens to show the file. */
export function DropPlace({ words, onDropped }: DropPlaceProps) {
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => before + 1)
    }
    const leave = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1))
    }
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDepth(0)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      addFiles(files)
      onDropped?.()
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop } as const
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [onDropped])
  if (depth === 0) return null
  return (
    <Portal>
      <div className={css.veil} data-testid="drop-place">
        <p className={css.words}>
          <IconPhotoPlus size={34} stroke={1.5} aria-hidden />
          {words}
        </p>
      </div>
    </Portal>
  )
}
