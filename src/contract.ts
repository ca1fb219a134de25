/** Version of the contract, in every envelope (docs/contract.md, "The envelope"). */
export const CONTRACT_VERSION = "2.5";
