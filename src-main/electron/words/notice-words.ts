/** The notices of the system. No name and no number of a patient: anybody may stand before the screen. */
import type { NoticeKind } from '../../station/ports.ts'
import type { HostLanguage } from './host-language.ts'

type NoticeText = {
  /** What happened, for a count of them. */
  readonly title: (count: number) => string
  /** What it means and what to do. */
  readonly body: string
}

/** Of what there is only one at a time, the count says nothing. */
function always(title: string): NoticeText['title'] {
  return () => title
}

export const noticeWords: Readonly<Record<HostLanguage, Readonly<Record<NoticeKind, NoticeText>>>> = {
  en: {
    alarm: {
      title: (count) =>
        count === 1 ? 'Something may have gone wrong' : `${count} things may have gone wrong`,
      body: 'Open Fundus Courier and read what it means before you send or decide anything.',
    },
    urgentReport: {
      title: (count) =>
        count === 1 ? 'An urgent report has arrived' : `${count} urgent reports have arrived`,
      body: 'Open Fundus Courier to read it now.',
    },
    storage: {
      title: always('Storage problem'),
      body: 'Nothing is sent, to keep what is there. Check the disk of this computer and restart Fundus Courier.',
    },
    signedOut: {
      title: always('Signed out: nothing is sent'),
      body: 'All cases are kept. Ask the administrator to check the client id and secret.',
    },
    needsAttention: {
      title: (count) => (count === 1 ? 'A case needs attention' : `${count} cases need attention`),
      body: 'Not sent. Open Fundus Courier to see what is wrong.',
    },
    diskLow: {
      title: always('The disk is nearly full'),
      body: 'No new images are taken in until there is space. Free some space on this computer.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1 ? 'A camera folder cannot be reached' : `${count} camera folders cannot be reached`,
      body: 'New images are not taken in. Check the camera, the drive or the network share.',
    },
    serviceAway: {
      title: always('The service has not answered for an hour'),
      body: 'All cases are kept and go out by themselves when it answers. If the internet works, tell the administrator.',
    },
    waitsTooLong: {
      title: (count) => (count === 1 ? 'A case has waited too long' : `${count} cases have waited too long`),
      body: 'Not sent, or not known to have arrived. Open Fundus Courier to see what to do.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'A report has arrived' : `${count} reports have arrived`),
      body: 'Open Fundus Courier to read it.',
    },
  },
  es: {
    alarm: {
      title: (count) =>
        count === 1 ? 'Algo puede haber salido mal' : `${count} cosas pueden haber salido mal`,
      body: 'Abra Fundus Courier y lea qué significa antes de enviar o decidir nada.',
    },
    urgentReport: {
      title: (count) =>
        count === 1 ? 'Ha llegado un informe urgente' : `Han llegado ${count} informes urgentes`,
      body: 'Abra Fundus Courier para leerlo ahora.',
    },
    storage: {
      title: always('Problema de almacenamiento'),
      body: 'No se envía nada, para conservar lo que hay. Compruebe el disco de este equipo y reinicie Fundus Courier.',
    },
    signedOut: {
      title: always('Sesión cerrada: no se envía nada'),
      body: 'Se conservan todos los casos. Pida al administrador que compruebe el identificador y el secreto del cliente.',
    },
    needsAttention: {
      title: (count) => (count === 1 ? 'Un caso requiere atención' : `${count} casos requieren atención`),
      body: 'No enviado. Abra Fundus Courier para ver qué ocurre.',
    },
    diskLow: {
      title: always('El disco está casi lleno'),
      body: 'No se reciben imágenes nuevas hasta que haya espacio. Libere espacio en este equipo.',
    },
    folderUnreachable: {
      title: (count) =>
        count === 1
          ? 'No se puede acceder a una carpeta de la cámara'
          : `No se puede acceder a ${count} carpetas de la cámara`,
      body: 'No se reciben imágenes nuevas. Compruebe la cámara, la unidad o la carpeta de red.',
    },
    serviceAway: {
      title: always('El servicio no responde desde hace una hora'),
      body: 'Se conservan todos los casos y se envían solos cuando responda. Si hay internet, avise al administrador.',
    },
    waitsTooLong: {
      title: (count) =>
        count === 1
          ? 'Un caso lleva demasiado tiempo en espera'
          : `${count} casos llevan demasiado tiempo en espera`,
      body: 'No enviado, o no consta que haya llegado. Abra Fundus Courier para ver qué hacer.',
    },
    reportArrived: {
      title: (count) => (count === 1 ? 'Ha llegado un informe' : `Han llegado ${count} informes`),
      body: 'Abra Fundus Courier para leerlo.',
    },
  },
}
