export function packFolder(folder: string): Promise<number>;
