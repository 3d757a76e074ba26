/** The notices of the system. No name and no number of a patient: anybody may stand before the screen. */
import type { Notice } from '../../station/ports.ts'
import type { HostLanguage } from './host-language.ts'

type NoticeText = { readonly title: (count: number) => string; readonly body: string }

export const noticeWords: Readonly<Record<HostLanguage, Readonly<Record<Notice['kind'], NoticeText>>>> = {
  en: {
    needsAttention: {
      title: (count) => (count === 1 ? 'A case needs attention' : `${count} cases need attention`),
      body: 'Open Fundus Courier to see what is missing.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1 ? 'A camera folder cannot be reached' : `${count} camera folders cannot be reached`,
      body: 'New images are not taken in. Open Fundus Courier to see which folder it is.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'A report has arrived' : `${count} reports have arrived`),
      body: 'Open Fundus Courier to read it.',
    },
  },
  es: {
    needsAttention: {
      title: (count) => (count === 1 ? 'Un caso requiere atención' : `${count} casos requieren atención`),
      body: 'Abra Fundus Courier para ver qué falta.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1
          ? 'No se puede acceder a una carpeta de la cámara'
          : `No se puede acceder a ${count} carpetas de la cámara`,
      body: 'No se reciben imágenes nuevas. Abra Fundus Courier para ver qué carpeta es.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'Ha llegado un informe' : `Han llegado ${count} informes`),
      body: 'Abra Fundus Courier para leerlo.',
    },
  },
}
