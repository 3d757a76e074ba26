import { useEffect, useState } from 'react'
import { Portal } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import css from './drop-place.module.css'

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

export type DropZoneProps = {
  /** What is shown over the screen while files are held over it. */
  readonly label: string
  /** Null while nothing is taken: even then a browser must not leave the screens. */
  readonly onFiles: ((files: readonly File[]) => void) | null
}

/** Takes files that are dropped anywhere in the window; without it a browser would leave the screens to show the file. */
export function DropZone({ label, onFiles }: DropZoneProps) {
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => before + 1)
    }
    const leave = (event: DragEvent): void => {
      if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1))
    }
    const handleDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none'
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDepth(0)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) onFiles?.(files)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: handleDragOver, drop } as const
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [onFiles])
  if (depth === 0 || onFiles === null) return null
  return (
    <Portal>
      <div className={css.veil} data-testid="drop-place">
        <p className={css.words}>
          <IconPhotoPlus size={34} stroke={1.5} aria-hidden />
          {label}
        </p>
      </div>
    </Portal>
  )
}
