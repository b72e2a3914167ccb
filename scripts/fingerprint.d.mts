export function fingerprint(root: string, name: string): string;
export function filesBelow(folder: string): readonly string[];
